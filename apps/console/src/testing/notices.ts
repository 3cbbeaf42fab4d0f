/** The messages, notifications and alerts on the page. */
export const notices = (): (string | null)[] =>
  Array.from(
    document.querySelectorAll('.ant-message-notice, .ant-notification-notice, [role=alert]:not(:empty)'),
    ({ textContent }) => textContent,
  );
