/* A disk that fails: calls to the system on the files of the journal fail when a test says so, and all are written down. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int notes = -1, failing_error, call_number, first_failing, last_failing;
static char failing_call[32];

void fail_calls(const char *path, const char *call, int first, int times, int error) {
    strncpy(failing_call, call, sizeof failing_call - 1);
    call_number = 0, first_failing = first, last_failing = first + times - 1, failing_error = error;
    notes = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
}

int failing_calls_seen(void) { return call_number; }

static int kind_of_path(const char *path) {
    const char *name = strstr(path, "journal.sqlite3");
    if (name == NULL) return 0;
    return strcmp(name, "journal.sqlite3") == 0 ? 1 : strcmp(name, "journal.sqlite3-wal") == 0 ? 2 : 0;
}

static int kind_of(int file) {
    char link[64], path[4096];
    if (notes < 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return kind_of_path(path);
}

static void note(int what, int kind, int64_t at, int64_t size, const void *bytes) {
    char head[18] = {(char)what, (char)kind};
    memcpy(head + 2, &at, 8), memcpy(head + 10, &size, 8);
    syscall(SYS_write, notes, head, sizeof head);
    if (bytes) syscall(SYS_write, notes, bytes, size);
}

static int fails(const char *call) {
    if (strcmp(call, failing_call) != 0) return 0;
    call_number++;
    if (call_number < first_failing || call_number > last_failing) return 0;
    errno = failing_error;
    return 1;
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
    int kind = kind_of(file);
    if (kind && fails("pwrite64")) return -1;
    ssize_t written = syscall(SYS_pwrite64, file, bytes, size, at);
    if (kind && written > 0) note('W', kind, at, written, bytes);
    return written;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) { return pwrite64(file, bytes, size, at); }

static int synced(int file, const char *call, long number) {
    int kind = kind_of(file);
    if (kind && fails(call)) {
        int error = errno;
        note('F', kind, 0, 0, NULL);
        errno = error;
        return -1;
    }
    if (kind) note('S', kind, 0, 0, NULL);
    return syscall(number, file);
}

int fdatasync(int file) { return synced(file, "fdatasync", SYS_fdatasync); }
int fsync(int file) { return synced(file, "fsync", SYS_fsync); }

int ftruncate64(int file, off64_t size) {
    int kind = kind_of(file);
    if (kind && fails("ftruncate")) return -1;
    if (kind) note('T', kind, size, 0, NULL);
    return syscall(SYS_ftruncate, file, size);
}

int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

int unlink(const char *path) {
    int kind = notes < 0 ? 0 : kind_of_path(path);
    if (kind && fails("unlink")) return -1;
    if (kind) note('U', kind, 0, 0, NULL);
    return syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
