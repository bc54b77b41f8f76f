// Standard input, output and error as a program may rely on them: open, and never the death of it.
#pragma once

#include <string_view>

namespace hydae::tool {

// Streams that the caller has closed become ones that accept nothing (output) or drop everything
// (error), so that no file of ours takes their place. A reader that goes away and a file that
// becomes too large are errors of writing, not signals.
void prepare_standard_streams();

// Writes a message to standard error, control characters written out. A standard error that is
// closed or full changes nothing.
void say(std::string_view text);
// The same for text of our own that moves the cursor of a terminal.
void say_raw(std::string_view text);

// Ends the program as a reader of standard output that goes away (`| head`) ends others: by
// SIGPIPE.
[[noreturn]] void end_for_want_of_a_reader();

}  // namespace hydae::tool
