// Writes records of about 140 bytes with logging libraries and by hand, for compare-peers:
//
//   writers                                prints the names of the ways to write, one in each line
//   writers NAME THREADS COUNT FILE        writes COUNT records on each thread into FILE, and prints
//                                          the nanoseconds of a record
//
// Each record has the time, a name of 47 bytes, a value of 10 bytes and the number of the thread, as
// in Benchmarks/Sources/Benchmarks/Tracing. The libraries have their usual settings, and are left out
// if their headers are missing.

#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#if __has_include(<spdlog/spdlog.h>) && !defined(WITHOUT_SPDLOG)
#define HAS_SPDLOG 1
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>
#endif

#if __has_include(<quill/Backend.h>)
#define HAS_QUILL 1
#include <quill/Backend.h>
#include <quill/Frontend.h>
#include <quill/LogMacros.h>
#include <quill/Logger.h>
#include <quill/sinks/FileSink.h>
#endif

namespace {

constexpr char kLane[] = "search.suggestions.results.of.the.first.section";
constexpr char kText[] = "0123456789";
// No record by hand is longer.
constexpr size_t kMaxRecord = 192;

long now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

[[noreturn]] void fail(const std::string &text) {
  std::fprintf(stderr, "error: %s\n", text.c_str());
  std::exit(2);
}

/// Writes a number of records on the thread that calls it.
using Writer = std::function<void(long count)>;

/// A way to write records, with the state that all threads share.
struct Way {
  std::function<Writer(int thread)> make;
  /// Waits until all records are written, if that counts.
  std::function<void()> finish = [] {};
};

char *append(char *end, const char *text, size_t length) {
  std::memcpy(end, text, length);
  return end + length;
}

char *append(char *end, long number) {
  char digits[20];
  char *start = digits + sizeof digits;
  do {
    *--start = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  return append(end, start, static_cast<size_t>(digits + sizeof digits - start));
}

template <size_t size>
char *append(char *end, const char (&text)[size]) {
  return append(end, text, size - 1);
}

/// Formats a record by hand, and returns its length.
size_t format(char *record, int thread) {
  char *end = append(record, "{\"t\":");
  end = append(end, now());
  end = append(end, ",\"event\":\"next\",\"sub\":1,\"lane\":\"");
  end = append(end, kLane);
  end = append(end, "\",\"value\":\"");
  end = append(end, kText);
  end = append(end, "\",\"thread\":");
  end = append(end, static_cast<long>(thread));
  end = append(end, "}\n");
  return static_cast<size_t>(end - record);
}

/// A file that is mapped at its full size.
struct MappedFile {
  char *bytes;
  size_t size;
  std::atomic<size_t> used{0};

  MappedFile(const std::string &path, size_t size) : size(size) {
    int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || ftruncate(file, static_cast<off_t>(size)) != 0) fail("cannot write " + path);
    void *mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) fail("cannot map " + path);
    bytes = static_cast<char *>(mapped);
    close(file);
  }

  char *take(size_t length) {
    size_t start = used.fetch_add(length, std::memory_order_relaxed);
    if (start + length > size) fail("the mapped file is too small");
    return bytes + start;
  }
};

/// Each record takes its place with an atomic addition.
Way makeMapped(const std::string &path, size_t size) {
  auto *file = new MappedFile(path, size);
  return {[file](int thread) {
    return [file, thread](long count) {
      char record[kMaxRecord];
      for (long index = 0; index < count; index++) {
        size_t length = format(record, thread);
        std::memcpy(file->take(length), record, length);
      }
    };
  }};
}

/// Each thread takes chunks for itself, whose pages are loaded before.
Way makeChunks(const std::string &path, size_t size) {
  constexpr size_t chunk = 1 << 16;
  auto *file = new MappedFile(path, size);
  // MAP_POPULATE would not make the pages of a shared file writable.
  for (size_t page = 0; page < size; page += 4096) file->bytes[page] = '\n';
  return {[file](int thread) {
    return [file, thread](long count) {
      char *place = nullptr, *end = nullptr;
      for (long index = 0; index < count; index++) {
        if (end - place < static_cast<long>(kMaxRecord)) {
          place = file->take(chunk);
          end = place + chunk;
        }
        place += format(place, thread);
      }
    };
  }};
}

#ifdef HAS_SPDLOG
Way makeSpdlog(const std::string &path) {
  auto logger = spdlog::basic_logger_mt(kLane, path, true);
  logger->set_pattern(
      "{\"t\":%E%F,\"event\":\"next\",\"sub\":1,\"lane\":\"%n\",\"value\":\"%v\",\"thread\":%t}");
  return {[logger](int) {
            return [logger](long count) {
              for (long index = 0; index < count; index++) logger->info("{}", kText);
            };
          },
          [logger] { logger->flush(); }};
}
#endif

#ifdef HAS_QUILL
Way makeQuill(const std::string &path, bool waits) {
  quill::Backend::start();
  auto sink = quill::Frontend::create_or_get_sink<quill::FileSink>(path, [] {
    quill::FileSinkConfig config;
    config.set_open_mode('w');
    return config;
  }());
  quill::PatternFormatterOptions pattern(
      "{\"t\":%(time),\"event\":\"next\",\"sub\":1,\"lane\":\"%(logger)\",\"value\":\"%(message)\","
      "\"thread\":%(thread_id)}",
      "%s%Qns", quill::Timezone::GmtTime);
  auto *logger = quill::Frontend::create_or_get_logger(kLane, std::move(sink), pattern);
  return {[logger](int) {
            return [logger](long count) {
              for (long index = 0; index < count; index++) LOG_INFO(logger, "{}", kText);
            };
          },
          waits ? std::function<void()>([logger] { logger->flush_log(); }) : [] {}};
}
#endif

/// Runs the writers on threads that begin together, and returns the nanoseconds.
long run(const Way &way, int threads, long count) {
  std::mutex mutex;
  std::condition_variable changed;
  int ready = 0;
  bool isGo = false;
  std::vector<std::thread> running;
  for (int number = 1; number <= threads; number++) {
    running.emplace_back([&, number] {
      Writer writer = way.make(number);
      writer(std::min(20000L, count / 10));
      {
        std::unique_lock lock(mutex);
        ready++;
        changed.notify_all();
        changed.wait(lock, [&] { return isGo; });
      }
      writer(count);
    });
  }
  long start;
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ready == threads; });
    way.finish();
    start = now();
    isGo = true;
    changed.notify_all();
  }
  for (auto &thread : running) thread.join();
  way.finish();
  return now() - start;
}

}  // namespace

int main(int argc, char **argv) {
  const std::vector<std::pair<std::string, Way (*)(const std::string &, size_t)>> ways = {
#ifdef HAS_SPDLOG
      {"spdlog (C++)", [](const std::string &path, size_t) { return makeSpdlog(path); }},
#endif
#ifdef HAS_QUILL
      {"quill (C++), time of the caller",
       [](const std::string &path, size_t) { return makeQuill(path, false); }},
      {"quill (C++), until it is written",
       [](const std::string &path, size_t) { return makeQuill(path, true); }},
#endif
      {"by hand (C++), a mapped file, an atomic addition", makeMapped},
      {"by hand (C++), chunks of each thread, loaded ahead", makeChunks},
  };
  if (argc == 1) {
    for (const auto &way : ways) std::puts(way.first.c_str());
    return 0;
  }
  if (argc != 5) fail("usage: writers [NAME THREADS COUNT FILE]");
  const int threads = std::atoi(argv[2]);
  const long count = std::atol(argv[3]);
  if (threads < 1 || count < 1) fail("there must be a thread and a record");
  const size_t size = (static_cast<size_t>(count) * 11 / 10 + 1024) * threads * kMaxRecord;
  for (const auto &way : ways) {
    if (way.first != argv[1]) continue;
    const long nanoseconds = run(way.second(argv[4], size), threads, count);
    std::printf("%.2f\n", static_cast<double>(nanoseconds) / count / threads);
    // Destructors of the libraries would wait for records that nobody reads.
    std::fflush(stdout);
    _exit(0);
  }
  fail(std::string("no way to write has the name ") + argv[1]);
}
