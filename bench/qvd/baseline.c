/*
 * The lower bound to compare with: reads a QVD file in C, finds every symbol and extracts every index of every row. It
 * validates nothing and creates no values. Prints one line of JSON.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { long bit, width, bias, symbols, offset, length; } Field;

static double milliseconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* The number in the next <name> at or after `from`. */
static long number(const char *from, const char *name) {
  char tag[64];
  snprintf(tag, sizeof tag, "<%s>", name);
  const char *at = strstr(from, tag);
  return at ? atol(at + strlen(tag)) : 0;
}

static unsigned char *slurp(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) exit(1);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*size + 16);
  if (!bytes || fread(bytes, 1, *size, file) != *size) exit(1);
  memset(bytes + *size, 0, 16);
  fclose(file);
  return bytes;
}

static void find_symbols(const unsigned char *at, const Field *field) {
  double *numbers = malloc(sizeof(double) * (size_t)(field->symbols + 1));
  const unsigned char **texts = malloc(sizeof(char *) * (size_t)(field->symbols + 1));
  const unsigned char *end = at + field->length;
  for (long i = 0; at < end; i++) {
    unsigned char kind = *at++;
    if (kind & 1) {
      int32_t value;
      memcpy(&value, at, 4);
      numbers[i] = value;
      at += 4;
    } else if (kind & 2) {
      memcpy(&numbers[i], at, 8);
      at += 8;
    }
    if (kind & 4) {
      texts[i] = at;
      at = (const unsigned char *)memchr(at, 0, (size_t)(end - at)) + 1;
    }
  }
}

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  double clock = milliseconds(CLOCK_MONOTONIC), processor = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
  size_t size;
  unsigned char *file = slurp(argv[1], &size);
  const char *header = (const char *)file;
  const unsigned char *base = file + strlen(header) + 1;
  const char *root = strstr(header, "</Fields>");
  long record = number(root, "RecordByteSize"), rows = number(root, "NoOfRecords"), offset = number(root, "Offset");

  Field fields[256];
  int count = 0;
  for (const char *at = header; count < 256 && (at = strstr(at, "<QvdFieldHeader>")); at++, count++) {
    Field *field = &fields[count];
    field->bit = number(at, "BitOffset");
    field->width = number(at, "BitWidth");
    field->bias = number(at, "Bias");
    field->symbols = number(at, "NoOfSymbols");
    field->offset = number(at, "Offset");
    field->length = number(at, "Length");
    find_symbols(base + field->offset, field);
  }

  uint64_t sum = 0, nulls = 0;
  for (int i = 0; i < count; i++) {
    const unsigned char *at = base + offset + fields[i].bit / 8;
    int shift = (int)(fields[i].bit % 8);
    uint64_t mask = ((uint64_t)1 << fields[i].width) - 1;
    for (long row = 0; row < rows; row++, at += record) {
      uint64_t word;
      memcpy(&word, at, 8);
      int64_t index = (int64_t)((word >> shift) & mask) + fields[i].bias;
      if (index < 0) nulls++;
      else sum += (uint64_t)index;
    }
  }
  clock = milliseconds(CLOCK_MONOTONIC) - clock;
  processor = milliseconds(CLOCK_PROCESS_CPUTIME_ID) - processor;
  printf("{\"ms\":%.1f,\"rows\":%ld,\"nulls\":%llu,\"sum\":%llu}\n", clock < processor ? clock : processor, rows,
         (unsigned long long)nulls, (unsigned long long)sum);
  return 0;
}
