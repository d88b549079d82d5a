// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace metal_unlock::shim {

/// A line of text in fixed storage. What does not fit makes it unusable, and then it is not written.
class Line {
 public:
  Line& add(const char* text) noexcept;
  Line& add(uint64_t number) noexcept;
  Line& add(char letter) noexcept;
  char last() const noexcept { return length_ == 0 ? '\0' : text_[length_ - 1]; }

  /// Adds the final newline and hands everything over in one write. Leaves errno as it was.
  void write_to(int descriptor) noexcept;

 private:
  char text_[1024];
  size_t length_ = 0;
  bool overflowed_ = false;
};

/// One event of the report: a JSON object on a line of its own.
class Event {
 public:
  explicit Event(const char* name) noexcept;

  Event& text(const char* key, const char* text) noexcept;
  Event& number(const char* key, uint64_t number) noexcept;
  Event& truth(const char* key, bool truth) noexcept;
  Event& item(const char* text) noexcept;
  Event& open(const char* key, char bracket) noexcept;
  Event& close(char bracket) noexcept;

  /// Appends the event to the report's file and to its descriptor, whichever are there.
  void send() noexcept;

 private:
  void key(const char* key) noexcept;
  void separate() noexcept;
  void quote(const char* text) noexcept;

  Line line_;
};

/// A number for the calling thread, never 0.
uint64_t this_thread() noexcept;

/// Where events go: a file opened for each event ("": none), a descriptor (-1: none). Only the thread that
/// calls this uses the descriptor.
void begin_report(const char* file, int descriptor) noexcept;
bool is_reporting() noexcept;

/// The descriptor belongs to the constructor: it is closed before the program runs, so that its reader knows
/// that everything was said and no later line can reach a file that has taken the same number.
void close_report_descriptor() noexcept;

}  // namespace metal_unlock::shim
