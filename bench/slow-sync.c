// Every sync takes SYNC_US microseconds longer: what a commit costs on a slower disk.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_as_asked(void) {
  const char *asked = getenv("SYNC_US");
  if (asked) usleep((useconds_t)atol(asked));
}

int fsync(int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  int result = real(fd);
  wait_as_asked();
  return result;
}

int fdatasync(int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  int result = real(fd);
  wait_as_asked();
  return result;
}
