/** What the console says unasked: its messages, notifications and alerts. */
export const notices = (): (string | null)[] =>
  Array.from(
    document.querySelectorAll('.ant-message-notice, .ant-notification-notice, [role=alert]:not(:empty)'),
    ({ textContent }) => textContent,
  );
