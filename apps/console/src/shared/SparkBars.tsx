import { type KeyboardEvent, useState } from 'react';
import styles from './SparkBars.module.css';

export interface Bar {
  label: string;
  value: number;
}
interface Props {
  title: string;
  /** The unit of the bars, e.g. "changes". */
  unit: string;
  /** The meaning of the label, e.g. "Day". */
  over: string;
  bars: readonly Bar[];
  /** Shown while no bar is active. */
  caption: string;
}

const WIDTH = 100;
const HEIGHT = 100;
const format = (value: number) => value.toLocaleString('en-US');

/** A small bar chart: pointer and arrow keys show single values as text; a hidden table has them all for screen readers. */
export function SparkBars({ title, unit, over, bars, caption }: Props) {
  const [active, setActive] = useState<number>();
  const highest = Math.max(1, ...bars.map(({ value }) => value));
  const step = WIDTH / Math.max(1, bars.length);
  const last = bars.length - 1;
  const textOf = ({ label, value }: Bar) => `${label}: ${format(value)} ${unit}`;
  const shown = active === undefined ? undefined : bars[active];

  const onKeyDown = (event: KeyboardEvent) => {
    const from = active ?? last;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setActive(Math.min(last, Math.max(0, to)));
  };

  return (
    <section className={styles['chart']} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span>{shown ? textOf(shown) : caption}</span>
      </header>
      <div
        className={styles['plot']}
        role="slider"
        tabIndex={0}
        aria-label={`${title}, by ${over.toLowerCase()}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={active ?? last}
        aria-valuetext={bars.length > 0 ? textOf(bars[active ?? last] as Bar) : 'no data'}
        onKeyDown={onKeyDown}
        onFocus={() => setActive(last)}
        onBlur={() => setActive(undefined)}
        onPointerMove={({ clientX, currentTarget }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          setActive(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * bars.length))));
        }}
        onPointerLeave={() => setActive(undefined)}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {bars.map(({ label, value }, index) => {
            const height = value === 0 ? 1 : Math.max(3, (value / highest) * HEIGHT);
            return (
              <rect
                key={label}
                data-active={index === active}
                data-empty={value === 0}
                x={index * step + step * 0.15}
                y={HEIGHT - height}
                width={step * 0.7}
                height={height}
              />
            );
          })}
        </svg>
      </div>
      <footer aria-hidden="true">
        <span>{bars[0]?.label}</span>
        <span>{bars[last]?.label}</span>
      </footer>
      {/* The wrapper is hidden, not the table: a table is never narrower than its content and would widen the page. */}
      <div className="visually-hidden">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{over}</th>
              <th scope="col">{unit}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
