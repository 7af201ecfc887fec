/**
 * `Permissions-Policy`: disables features that none of our pages uses, so injected code cannot use them either.
 * Passkeys keep the default, which allows them only on our own origin.
 */
export const permissionsPolicy = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((power) => `${power}=()`)
  .join(', ');
