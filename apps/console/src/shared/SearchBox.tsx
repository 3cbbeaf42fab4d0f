import { CloseCircleFilled, SearchOutlined } from '@ant-design/icons';
import { Input } from 'antd';
import styles from './Toolbar.module.css';

interface Props {
  value: string;
  onChange: (value: string) => void;
  /** Both the placeholder and the name for screen readers. */
  label: string;
}

/** The search of a page; the key `/` focuses it. */
export function SearchBox({ value, onChange, label }: Props) {
  return (
    <Input
      type="search"
      className={styles['search'] ?? ''}
      prefix={<SearchOutlined aria-hidden="true" />}
      placeholder={label}
      aria-label={label}
      allowClear={{ clearIcon: <CloseCircleFilled aria-label="Clear the search" /> }}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
