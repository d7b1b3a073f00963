/* What the tests in C have in common: a check that says where it failed, hexadecimal, and buffers
 * that end where readable memory ends, so that a byte too many is a fault. */
#ifndef TEST_H
#define TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif
#endif

#define CHECK(so)                                                       \
    do {                                                                \
        if (!(so)) {                                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #so);    \
            exit(1);                                                    \
        }                                                               \
    } while (0)

/* Whether a call gave this number; else says which one it gave. */
#define GIVES(call, number)                                                                        \
    do {                                                                                           \
        int code_given_ = (call);                                                                  \
        if (code_given_ != (number)) {                                                             \
            fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, code_given_);        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* As many bytes as there are in `hex`. */
static inline size_t unhex(const char *hex, unsigned char *to) {
    size_t n = 0;
    for (; hex[0] && hex[1]; hex += 2) {
        unsigned value;
        CHECK(sscanf(hex, "%2x", &value) == 1);
        to[n++] = (unsigned char)value;
    }
    return n;
}

static inline int all_are(const void *bytes, size_t len, unsigned char value) {
    const unsigned char *at = (const unsigned char *)bytes;
    for (size_t i = 0; i < len; i++)
        if (at[i] != value) return 0;
    return 1;
}

/* `len` bytes behind which no page can be touched: never given back. */
static inline unsigned char *guarded(size_t len) {
#if defined(__unix__) || defined(__APPLE__)
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (len + page - 1) / page * page + page;
    void *at = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(at != MAP_FAILED);
    unsigned char *end = (unsigned char *)at + whole - page;
    CHECK(mprotect(end, page, PROT_NONE) == 0);
    return end - len;
#else
    unsigned char *at = (unsigned char *)malloc(len ? len : 1);
    CHECK(at != NULL);
    return at;
#endif
}

#endif
