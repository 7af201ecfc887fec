throw new Error('The service has no Images binding, so the image library is not installed.');
