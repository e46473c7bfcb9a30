#include "net/ll_net_reader.hpp"

#include <string>

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace mazurka::net {
namespace {

const std::string kHeader = "PEP\nPTNet\nFORMAT_N\n";

std::string error_of(const std::string& text) {
  try {
    read_ll_net("x.ll_net", text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LlNetReader, ReadsWhatOthersWrite) {
  const Net net = read_ll_net("x", kHeader +
                                       "DPL s7n10@-9t2\n"
                                       "DPT w1t1\n"
                                       "BL\n1\"block\"3@4\n"
                                       "PL % places\n"
                                       "\"a\"10@20M1m1\n"
                                       "7 'b \"q\"' 30@40 b\"x\"R\"y\"e\n"
                                       "9@9\"c\"\n"
                                       "TR\n"
                                       "5\"t\"9@9v1b\"l\"\n"
                                       "TP\n5<7J10@20\n"
                                       "PT\n1>5v1\n"
                                       "RA\n5@8\n"
                                       "TX\n\"anything\"1@2\n");
  ASSERT_EQ(net.places().size(), 3U);
  EXPECT_EQ(net.place(0).name, "a");
  EXPECT_TRUE(net.place(0).marked);
  EXPECT_EQ(net.place(1).name, "b \"q\"");
  EXPECT_FALSE(net.place(1).marked);
  ASSERT_EQ(net.transitions().size(), 1U);
  EXPECT_EQ(net.transition(0).pre, std::vector<PlaceId>{0});
  EXPECT_EQ(net.transition(0).post, std::vector<PlaceId>{1});
  EXPECT_EQ(net.transition(0).context, std::vector<PlaceId>{2}) << "ids go on from 7, so c is 8";
}

TEST(LlNetReader, CommentsAndEmptyLinesMayStandAnywhere) {
  const Net net = read_ll_net("x",
                              "% 1 place, 1 transition\n\nPEP % a comment\n%\n PTNet\n\nFORMAT_N2\n% places\nPL\n"
                              "\"p%1\"M1 % marked\nTR\n\"t\"\nTP\n1<1\nPT\n1>1\n");
  ASSERT_EQ(net.places().size(), 1U);
  EXPECT_EQ(net.place(0).name, "p%1");
  EXPECT_EQ(net.transition(0).pre, std::vector<PlaceId>{0});
  EXPECT_EQ(net.transition(0).post, std::vector<PlaceId>{0});
}

TEST(LlNetReader, ATransitionThatNeedsTwoTokensOfAPlaceIsDead) {
  const std::string body = "PL\n\"a\"M1\nTR\n\"t\"\nTP\n1<1\nPT\n";
  for (const std::string& text : {body + "1>1w2\n", "DPT w2\n" + body + "1>1\n", body + "RA\n1<1w3\n"}) {
    const Net net = read_ll_net("x", kHeader + text);
    ASSERT_EQ(net.places().size(), 2U) << text;
    EXPECT_EQ(net.place(1).name, "a (second token)");
    EXPECT_EQ(net.place(1).consumers, std::vector<TransitionId>{0}) << text;
  }
  EXPECT_EQ(error_of(kHeader + body + "1>1w0\n"),
            "x.ll_net:11:1: the arc between place 'a' and transition 't' has weight 0; a weight is at least 1");
}

TEST(LlNetReader, RefusesTagsThatAreNotUnderstood) {
  const std::string rest = "\nTR\n\"t\"\nTP\nPT\n";
  EXPECT_EQ(error_of(kHeader + "PL\n\"a\"k2m0v3e" + rest), "no error") << "a 1-safe net never fills it";
  EXPECT_EQ(error_of(kHeader + "PL\n\"a\"k1" + rest),
            "x.ll_net:5:4: tag 'k': capacities below 2 are not supported; remove it if the net is 1-safe without it");
  EXPECT_EQ(error_of(kHeader + "PL\n\"a\"z\"{1,2}\"" + rest),
            "x.ll_net:5:4: tag 'z': types, terms and inscriptions of high-level nets are not supported; unfold the net "
            "first");
  EXPECT_EQ(error_of(kHeader + "PL\n\"a\"z\"\"" + rest), "no error");
  EXPECT_EQ(error_of(kHeader + "PL\n\"a\"\nTR\n\"t\"g\"x=1\"\nTP\nPT\n").substr(0, 23), "x.ll_net:7:4: tag 'g': ");
  EXPECT_EQ(error_of(kHeader + "PL\n\"a\"\nTR\n\"t\"\nTP\n1<1p\"x\"\nPT\n").substr(0, 23), "x.ll_net:9:4: tag 'p': ");
  EXPECT_EQ(
      error_of(kHeader + "PL\n\"a\"Y3" + rest),
      "x.ll_net:5:4: tag 'Y' is not known in block PL and may change what the net does; remove it if it does not");
  EXPECT_EQ(error_of(kHeader + "PL\n\"a\"w1" + rest).substr(0, 27), "x.ll_net:5:4: tag 'w' is no");
  EXPECT_EQ(error_of(kHeader + "PL\n\"a\"\nTR\n\"t\"M1\nTP\nPT\n").substr(0, 27), "x.ll_net:7:4: tag 'M' is no");
  EXPECT_EQ(error_of(kHeader + "PL \"a\"M1" + rest), "x.ll_net:4:4: unexpected text after PL");
}

TEST(LlNetReader, AReadArcBesideAnInputArcSaysNothing) {
  const Net net = read_ll_net("x", kHeader + "PL\n\"a\"M1\nTR\n\"t\"\nTP\nPT\n1>1\nRA\n1<1\n");
  EXPECT_TRUE(net.transition(0).context.empty());
  EXPECT_TRUE(net.place(0).readers.empty());
}

TEST(LlNetReader, RefusesNonsenseWithAPosition) {
  EXPECT_EQ(error_of(""), "x.ll_net:1:1: not a PEP net: the first line must be PEP");
  EXPECT_EQ(error_of("PEP\nFoo\n"), "x.ll_net:2:1: not a low-level net: the second line must be PetriBox or PTNet");
  EXPECT_EQ(error_of("PEP\nPTNet\nX"),
            "x.ll_net:3:1: not a low-level net: the third line must be FORMAT_N or FORMAT_N2");
  EXPECT_EQ(error_of(kHeader + "PL\n\"a"), "x.ll_net:5:1: the quotation mark is not closed");
  EXPECT_EQ(error_of(kHeader + "PL\n\"a\"M2\n"),
            "x.ll_net:5:1: place 'a' starts with 2 tokens; the net must be 1-safe");
  EXPECT_EQ(error_of(kHeader + "PL\n1\"a\"\n1\"b\"\n"), "x.ll_net:6:1: a second place with id 1");
  EXPECT_EQ(error_of(kHeader + "PL\n\"a\"$\n"), "x.ll_net:5:4: unexpected character '$'");
  EXPECT_EQ(error_of(kHeader + "PL\n\"a\" 7\n"), "x.ll_net:5:5: unexpected number; an id stands in front of all else");
  EXPECT_EQ(error_of(kHeader + "PL\n\"a\"99999999999@1\n"), "x.ll_net:5:4: the number is too large");
  EXPECT_EQ(error_of(kHeader + "XX\n"), "x.ll_net:4:1: unknown block 'XX'");
  EXPECT_EQ(error_of(kHeader + "TR\nPL\n"), "x.ll_net:5:1: block PL must come before TR");
  EXPECT_EQ(error_of(kHeader + "PL\nPL\n"), "x.ll_net:5:1: block PL occurs twice");
  EXPECT_EQ(error_of(kHeader + "PL\n\"a\"\nTR\n\"t\"\nTP\n"),
            "x.ll_net:8:1: the file ends without a block PT; it may be truncated");
  const std::string body = kHeader + "PL\n\"a\"\nTR\n\"t\"\nTP\n";
  EXPECT_EQ(error_of(body + "1<2\nPT\n"), "x.ll_net:9:3: no place has id 2");
  EXPECT_EQ(error_of(body + "1\nPT\n"), "x.ll_net:9:2: expected '<', '>' or '@' between the ends of an arc");
  EXPECT_EQ(error_of(body + "1<1w2\nPT\n"),
            "x.ll_net:9:1: transition 't' puts 2 tokens on place 'a'; the net must be 1-safe");
  EXPECT_EQ(error_of(body + "1<1\n1<1\nPT\n"),
            "x.ll_net:10:1: a second arc from transition 't' to place 'a' makes its weight 2; only weight 1 is "
            "supported");
}

}  // namespace
}  // namespace mazurka::net
