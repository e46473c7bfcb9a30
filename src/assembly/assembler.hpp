// How `mazurka cc` tells the program that stands in for the assembler (main.cpp) what it must know, across the
// compiler: by the environment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mazurka::assembly {

inline constexpr const char* kAssembler = "MAZURKA_ASSEMBLER";        ///< the real assembler
inline constexpr const char* kPreprocessor = "MAZURKA_PREPROCESSOR";  ///< a command that preprocesses the source
inline constexpr const char* kSource = "MAZURKA_SOURCE";              ///< what that command reads as standard input

/// The words of a command as one text, and back.
std::string join_command(const std::vector<std::string>& words);
std::vector<std::string> split_command(std::string_view text);

}  // namespace mazurka::assembly
