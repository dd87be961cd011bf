// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// hanabi-describe: the kernels of PTX files, cubins and fatbins, and of programs and libraries that carry them, with their
/// parameters; as a table, as tab-separated lines, or as a C++ header of descriptors.

#include <hanabi/config.hpp>

#if defined(HANABI_DESCRIBE_DECOMPRESS)
#include <hanabi/image/decompress.hpp>
#endif

#include "descriptors.hpp"
#include "images.hpp"
#include "listing.hpp"
#include "mapped_file.hpp"
#include "output.hpp"
#include "words.hpp"

#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

namespace {

constexpr char usage[] = R"(usage: hanabi-describe [--tsv | --cpp [CPP OPTION...]] FILE...

Lists the kernels of PTX text, cubins and fatbins, and of the fatbins and cubins inside programs, libraries, objects and
archives, with their parameters. Without an option: a table.

  --tsv               tab-separated: file, entry, index, type, size, align, offset, ptr; after a line with these words
  --cpp               a C++ header of ready descriptors (hanabi::kernel) for the kernels of the files

With --cpp:
  --module NAME       the name under which the program loads the module; else the file's, up to its first dot
  --namespace NAME    the namespace of the descriptors; else the module's name with _kernels behind it
  --types HEADER      #include "HEADER", and take the kernels' own types from there. Else they are opaque bytes of their size.
  --output FILE       writes there; untouched if it has that content already
  --check FILE        writes nothing: compares with FILE, as a build or CI would after `--output FILE`

  --help, --version

Exit status: 0 all was listed; 1 --check found a difference; 2 wrong usage; 3 something in a file could not be read (compressed
without a decompressor, malformed): the rest is listed; 4 a file can't be opened or holds no device code, the others are
listed. What is wrong is said on standard error, with the file and the line or byte.
)";

int refuse(const std::string& what) {
    std::fprintf(stderr, "hanabi-describe: %s\nTry: hanabi-describe --help\n", what.c_str());
    return tool::wrong_usage;
}

enum class format { table, tsv, cpp };

} // namespace

int main(int argc, char** argv) {
    format as = format::table;
    tool::header_options cpp;
    std::string output, check;
    std::vector<std::string> files;
    bool options = true, cpp_only = false;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (!options || argument.size() < 2 || argument[0] != '-') {
            files.push_back(argument);
            continue;
        }
        std::string name = argument, value;
        bool has_value = false;
        if (const std::size_t equals = argument.find('='); equals != std::string::npos) {
            name = argument.substr(0, equals);
            value = argument.substr(equals + 1);
            has_value = true;
        }
        if (name == "--module" || name == "--namespace" || name == "--types" || name == "--output" || name == "--check") {
            if (!has_value) {
                if (++i == argc) return refuse(name + " needs a value");
                value = argv[i];
            }
            if (value.empty()) return refuse(name + " needs a value");
            cpp_only = true;
            (name == "--module"      ? cpp.module
             : name == "--namespace" ? cpp.name_space
             : name == "--types"     ? cpp.types
             : name == "--output"    ? output
                                     : check) = value;
        } else if (argument == "--")
            options = false;
        else if (argument == "--tsv" || argument == "--cpp") {
            const format wanted = argument == "--tsv" ? format::tsv : format::cpp;
            if (as != format::table && as != wanted) return refuse("--tsv and --cpp exclude each other");
            as = wanted;
        } else if (argument == "--help" || argument == "-h") {
            std::fputs(usage, stdout);
            return tool::all_fine;
        } else if (argument == "--version") {
            std::printf("hanabi-describe %d.%d.%d\n", HANABI_VERSION / 100000, HANABI_VERSION / 100 % 1000, HANABI_VERSION % 100);
            return tool::all_fine;
        } else
            return refuse("unknown option " + argument);
    }
    if (files.empty()) return refuse("no file given");
    if (cpp_only && as != format::cpp) return refuse("--module, --namespace, --types, --output and --check go with --cpp");
    if (!output.empty() && !check.empty()) return refuse("--output and --check exclude each other");
    if (!cpp.name_space.empty() && !tool::is_namespace(cpp.name_space)) return refuse("--namespace: no C++ name: " + cpp.name_space);

#if defined(HANABI_DESCRIBE_DECOMPRESS)
    hanabi::image::use_decompression();
#endif

    tool::exit_code code = tool::all_fine;
    try {
        tool::header_writer header{cpp};
        if (as == format::tsv) tool::print_tsv_heading();
        for (const std::string& file : files) {
            try {
                tool::mapped_file mapped{file};
                if (as == format::cpp) header.begin_file(file);
                tool::for_each_image(file, mapped, code, [&](const tool::found_image& found) {
                    if (as == format::tsv)
                        tool::print_tsv(found);
                    else if (as == format::table)
                        tool::print_table(found);
                    else
                        header.add(found);
                });
            } catch (const std::system_error& e) {
                tool::complain(file, e.code().message());
                tool::raise(code, tool::unreadable);
            }
        }
        if (as == format::cpp) {
            const std::string text = header.text();
            if (!check.empty())
                tool::raise(code, tool::check_file(check, text));
            else if (!output.empty())
                tool::raise(code, tool::write_file(output, text));
            else
                std::fputs(text.c_str(), stdout);
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "hanabi-describe: %s\n", e.what());
        return tool::unreadable;
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        std::fputs("hanabi-describe: standard output can't be written\n", stderr);
        tool::raise(code, tool::unreadable);
    }
    return code;
}
