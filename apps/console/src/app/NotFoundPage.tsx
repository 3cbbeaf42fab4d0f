import { Button } from 'antd';
import { useLocation, useNavigate } from 'react-router';
import { PageTitle } from '../shared/PageHeader.tsx';
import styles from './Notice.module.css';

export function NotFoundPage() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (
    <section className={styles['notice']}>
      <span className={styles['code']}>404</span>
      <PageTitle>Page not found</PageTitle>
      <p>
        There is nothing at <code>{pathname}</code>, or it is not for your role.
      </p>
      <Button type="primary" onClick={() => void navigate('/')}>
        Back to the start
      </Button>
    </section>
  );
}
