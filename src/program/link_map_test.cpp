#include "program/link_map.hpp"

#include <gtest/gtest.h>

#include "program/object_file.hpp"

namespace mazurka::program {
namespace {

using LinkedFiles = std::vector<LinkedFile>;

TEST(LinkMap, OfGnuLd) {
  const LinkedFiles files = linked_files(
      "Discarded input sections\n\n .text.unused   0x0000000000000000        0xb dropped.o\n\n"
      "Linker script and memory map\n\nLOAD a.o\n\n.text           0x0000000000001050      0x1f1\n"
      " *(.text.hot .text.hot.*)\n .text          0x0000000000001050       0x30 my folder/a.o\n"
      " .text          0x0000000000001080        0x0 empty.o\n"
      " .text._ZN3fooEv\n                0x0000000000001139       0x16 ./libx.a(part.o)\n"
      "                0x0000000000001139                foo()\n .data          0x0000000000004000        0x4 "
      "data.o\n");
  EXPECT_EQ(files, (LinkedFiles{{"my folder/a.o", ""}, {"./libx.a", "part.o"}}));
}

TEST(LinkMap, OfLld) {
  const LinkedFiles files = linked_files(
      "             VMA              LMA     Size Align Out     In      Symbol\n"
      "            1560             1560      1f1    16 .text\n"
      "            1560             1560       22    16         a.o:(.text)\n"
      "            1560             1560       22     1                 x::(anonymous namespace)::f(x::A)\n"
      "            1590             1590       2b    16         ./libx.a(part.o):(.text.f)\n"
      "            15c0             15c0        4     4         <internal>:(.text)\n");
  EXPECT_EQ(files, (LinkedFiles{{"a.o", ""}, {"./libx.a", "part.o"}}));
}

TEST(LinkMap, IsWhereTheUserWantsIt) {
  EXPECT_EQ(map_file({"-Wl,-O1,-Map=x.map", "a.o"}), "x.map");
  EXPECT_EQ(map_file({"-Wl,-Map,y.map"}), "y.map");
  EXPECT_EQ(map_file({"-Xlinker", "-Map", "-Xlinker", "z.map"}), "z.map");
  EXPECT_EQ(map_file({"-Wl,--whole-archive", "a.o"}), "");
}

TEST(ObjectFile, KnowsTheRuntimesOfLanguagesByName) {
  for (const char* file :
       {"/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/libstdc++.so.6.0.30", "/usr/lib/libc_nonshared.a",
        "/lib64/ld-linux-x86-64.so.2", "/lib/libc-2.31.so", "/usr/lib/libc++.so.1.0", "/usr/lib/gcc/12/crtbeginS.o",
        "/usr/lib/Scrt1.o", "/usr/lib/gcc/12/libgcc.a", "/usr/lib/librt.so.1"})
    EXPECT_TRUE(is_language_runtime(file)) << file;
  for (const char* file : {"libgtest.a", "libcounter.so", "libcrypto.so.3", "libmath.a", "crtool.o", "libz.so.1.2.13",
                           "libpthreadpool.so", "libc-client.so.2", "build/libutil.a", "librt.so"})
    EXPECT_FALSE(is_language_runtime(file)) << file;
}

TEST(ObjectFile, OfTheSystemLiesInItsFolders) {
  EXPECT_TRUE(belongs_to_system("/usr/lib/x86_64-linux-gnu/libz.so.1"));
  EXPECT_FALSE(belongs_to_system("./libcounter.so"));
  EXPECT_FALSE(belongs_to_system("/home/me/usr/lib/libx.so"));
}

TEST(ObjectFile, ThatCannotBeReadIsNotSeen) { EXPECT_FALSE(read_object("/nonexistent.o").seen()); }

}  // namespace
}  // namespace mazurka::program
