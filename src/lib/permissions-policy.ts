/**
 * `Permissions-Policy`: turns off what none of our pages uses, and nothing injected should. Passkeys keep the
 * default, which allows them only on our own origin.
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
