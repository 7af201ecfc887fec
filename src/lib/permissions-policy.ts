/**
 * `Permissions-Policy`: what no page of ours uses, and nothing that somebody may slip into one should. Passkeys stay as
 * they are by default, for our own origin alone.
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
