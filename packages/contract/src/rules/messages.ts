/** The messages of SPEC 5 and 8, literally; the console's forms and the service share them. */
export const messages = {
  usernameRequired: 'Please input your Username!',
  passwordRequired: 'Please input your Password!',
  passwordTooShort: 'Please use at least 8 characters as password!',
  passwordAgain: 'Please input your Password again!',
  passwordsDiffer: 'The two passwords that you entered do not match!',
  userNameRequired: 'Please input your user name!',
  groupNameRequired: 'Please input your group name!',
  groupPermissionRequired: 'Please select your Group Permission!',
  apiKeyNameRequired: 'Please input your ApiKey Name!',
  apiKeyRequired: 'Please input or generate your ApiKey!',
  originInvalid: 'Please enter a valid domain name',
  secretAgain: 'Please enter the password again',
  dataSourceTypeRequired: 'Please Select Data Source Type!',
  /** SPEC 5's generic messages, in the form of Ant Design's templates. */
  generic: {
    required: '${label} is required!',
    number: '${label} is not a valid number!',
    range: '${label} must be between ${min} and ${max}',
  },
} as const;

/** A generic message with its values filled in. */
export const generic = (
  kind: keyof typeof messages.generic,
  values: Record<string, string | number>,
): string => messages.generic[kind].replace(/\$\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
