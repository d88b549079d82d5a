// SPDX-License-Identifier: MIT
#include "cli/core/macho/entitlements.hpp"

#include "tests/catch.hpp"
#include "tests/macho/signature_builder.hpp"

using namespace metal_unlock;

namespace {

Entitlements from_xml(const std::string& entries) {
  const auto read = parse_xml_entitlements(property_list(entries), 0);
  if (!read) FAIL(to_text(read.fault()));
  return *read;
}

Entitlements from_der(const std::string& pairs) {
  const auto read = parse_der_entitlements(der_root(pairs), 0);
  if (!read) FAIL(to_text(read.fault()));
  return *read;
}

std::string xml_fault(const std::string& xml) {
  const auto read = parse_xml_entitlements(xml, 0x100);
  return read ? "" : read.fault().what;
}

std::string der_fault(const std::string& der) {
  const auto read = parse_der_entitlements(der, 0x100);
  return read ? "" : to_text(read.fault());
}

std::string value_in(const Entitlements& entitlements, std::string_view name) {
  const EntitlementValue* value = entitlements.find(name);
  return value == nullptr ? "(none)" : to_text(*value);
}

}  // namespace

TEST_CASE("an entitlement grants only where it is true") {
  const std::string xml =
      "<key>a</key><true/><key>b</key><false/><key>c</key><string>true</string><key>d</key><integer>1</"
      "integer>"
      "<key>e</key><true></true>";
  const std::string der = der_pair("a", der_truth(true)) + der_pair("b", der_truth(false)) +
                          der_pair("c", der_text("true")) + der_pair("d", der_element(2, "\x01")) +
                          der_pair("e", der_truth(true));
  for (const Entitlements& entitlements : {from_xml(xml), from_der(der)}) {
    CAPTURE(static_cast<int>(entitlements.form));
    CHECK(entitlements.grants("a"));
    CHECK_FALSE(entitlements.grants("b"));
    CHECK_FALSE(entitlements.grants("c"));
    CHECK_FALSE(entitlements.grants("d"));
    CHECK(entitlements.grants("e"));
    CHECK_FALSE(entitlements.grants("f"));
    CHECK(value_in(entitlements, "b") == "false");
    CHECK(value_in(entitlements, "c") == "true");
    CHECK(value_in(entitlements, "d") == "1");
    CHECK(value_in(entitlements, "f") == "(none)");
  }
  CHECK(from_xml(xml).form == EntitlementForm::xml);
  CHECK(from_der(der).form == EntitlementForm::der);
}

TEST_CASE("lists and dictionaries keep their values") {
  const std::string xml =
      "<key>groups</key><array><string>one</string><string>two</string></array>"
      "<key>empty</key><array/>"
      "<key>table</key><dict><key>x</key><integer>-5</integer><key>y</key><array><true/></array></dict>";
  const std::string der =
      der_pair("groups", der_element(0x30, der_text("one") + der_text("two"))) +
      der_pair("empty", der_element(0x30, "")) +
      der_pair("table", der_dictionary(der_pair("x", der_element(2, "\xfb")) +
                                       der_pair("y", der_element(0x30, der_truth(true)))));
  for (const Entitlements& entitlements : {from_xml(xml), from_der(der)}) {
    CHECK(value_in(entitlements, "groups") == "[one, two]");
    CHECK(value_in(entitlements, "empty") == "[]");
    CHECK(value_in(entitlements, "table") == "{x: -5, y: [true]}");
  }
  CHECK(from_xml(xml).entries == from_der(der).entries);
}

TEST_CASE("XML is read with its references, comments and blanks") {
  CHECK(value_in(from_xml("<key>a&amp;b</key>\n\t<string>&lt;x&gt; &#65;&#x42;&quot;&apos;</string>"),
                 "a&b") == "<x> AB\"'");
  CHECK(value_in(from_xml("<!-- <key>b</key> --><key>a</key><!-- x --><string>  kept  </string>"), "a") ==
        "  kept  ");
  CHECK(value_in(from_xml("<key>a</key><string/>"), "a").empty());
  CHECK(from_xml("").entries.empty());
  CHECK(xml_fault("<plist><dict/></plist>").empty());
  CHECK(xml_fault(std::string{"<plist><dict/></plist>\n\0\0", 25}).empty());
}

TEST_CASE("property lists that are not what entitlements hold") {
  const auto fault = [](const std::string& entries) { return xml_fault(property_list(entries)); };
  CHECK(fault("<key>a</key><true/>").empty());
  CHECK(fault("<true/>") == "a value without a key in the XML entitlements");
  CHECK(fault("<key>a</key>") == "a key without a value in the XML entitlements");
  CHECK(fault("<key>a</key><date>2026</date>") ==
        "a value of a kind that entitlements do not have in the XML entitlements");
  CHECK(fault("<key>a</key><integer>x</integer>") == "an integer that is no number in the XML entitlements");
  CHECK(fault("<key>a</key><integer>12x</integer>") ==
        "an integer that is no number in the XML entitlements");
  CHECK(fault("<key>a</key><integer>99999999999999999999</integer>") ==
        "an integer that is no number in the XML entitlements");
  CHECK(fault("<key>a</key><string>&nbsp;</string>") ==
        "a reference without a meaning in the XML entitlements");
  CHECK(fault("<key>a</key><string>&#0;</string>") ==
        "a reference without a meaning in the XML entitlements");
  CHECK(fault("<key>a</key><string>x<b/></string>") == "a tag inside of <string> in the XML entitlements");
  CHECK(fault("<key>a</key><string>x</key>") == "a tag inside of <string> in the XML entitlements");
  CHECK(fault("<key>a</key><true/><key>a</key><false/>") ==
        "a name for the second time in the XML entitlements");
  CHECK(fault("text<key>a</key><true/>") == "text where a tag is expected in the XML entitlements");
  CHECK(xml_fault("") == "text where a tag is expected in the XML entitlements");
  CHECK(xml_fault("<plist><array/></plist>") == "no dictionary in the XML entitlements");
  CHECK(xml_fault("<plist><dict/><dict/></plist>") == "more than one dictionary in the XML entitlements");
  CHECK(xml_fault("<plist><dict/></plist>x") == "text behind the property list in the XML entitlements");
  CHECK(xml_fault("<plist><dict") == "a tag that does not end in the XML entitlements");
  CHECK(xml_fault("<plist><dict><key>a") == "a text that does not end in the XML entitlements");
  CHECK(xml_fault("<plist><dict><>") == "a tag without a name in the XML entitlements");
}

TEST_CASE("levels are counted, so that no blob can exhaust the stack") {
  const auto nested_xml = [](int levels) {
    std::string xml = "<true/>";
    for (int i = 0; i < levels; ++i) xml = "<array>" + xml + "</array>";
    return xml_fault(property_list("<key>a</key>" + xml));
  };
  const auto nested_der = [](int levels) {
    std::string der = der_truth(true);
    for (int i = 0; i < levels; ++i) der = der_element(0x30, der);
    return der_fault(der_root(der_pair("a", der)));
  };
  CHECK(nested_xml(15).empty());
  CHECK(nested_xml(16) == "too many levels in the XML entitlements");
  CHECK(nested_der(15).empty());
  CHECK(nested_der(16).starts_with("too many levels in the DER entitlements"));
}

TEST_CASE("the older DER form is a set of pairs without a version") {
  const auto read = parse_der_entitlements(der_element(0x31, der_pair("a", der_truth(true))), 0);
  REQUIRE(read);
  CHECK(read->grants("a"));
}

TEST_CASE("a DER length may take up to four bytes") {
  const std::string text(300, 'x');
  CHECK(value_in(from_der(der_pair("a", der_text(text))), "a") == text);
  CHECK(der_fault(std::string{"\x70\x85\0\0\0\0\0", 7}) ==
        "a length of 5 bytes in the DER entitlements (at 0x100)");
  CHECK(der_fault("\x70\x80") == "a length of 0 bytes in the DER entitlements (at 0x100)");
}

TEST_CASE("DER that is not what entitlements hold") {
  const auto fault = [](const std::string& pairs) { return der_fault(der_root(pairs)); };
  const std::string pair = der_pair("a", der_truth(true));
  CHECK(fault(pair).empty());
  CHECK(der_fault("") == "an element without a length in the DER entitlements (at 0x100)");
  CHECK(der_fault(der_element(0x30, pair)) == "a root of kind 0x30 in the DER entitlements (at 0x100)");
  CHECK(der_fault(der_root(pair) + "x").starts_with("bytes behind the entitlements"));
  CHECK(der_fault(der_root(pair).substr(0, 8)).starts_with("an element of "));
  CHECK(der_fault(der_element(0x70, der_element(2, "\x02") + der_dictionary(pair)))
            .starts_with("an unknown version"));
  CHECK(der_fault(der_element(0x70, der_element(2, "\x01") + pair)).starts_with("no dictionary"));
  CHECK(fault(der_text("a")).starts_with("a dictionary with something that is no pair"));
  CHECK(fault(der_element(0x30, der_truth(true))).starts_with("a name that is no text"));
  CHECK(fault(der_element(0x30, der_text("a"))).starts_with("an element without a length"));
  CHECK(
      fault(der_element(0x30, der_text("a") + der_truth(true) + "x")).starts_with("a pair of more than two"));
  CHECK(fault(der_pair("a", der_element(1, "xx"))).starts_with("a boolean of more than one byte"));
  CHECK(fault(der_pair("a", der_element(2, ""))).starts_with("an integer of no size"));
  CHECK(fault(der_pair("a", der_element(2, "123456789"))).starts_with("an integer of no size"));
  CHECK(fault(der_pair("a", der_element(0x0a, "x"))).starts_with("a value of kind 0x0a"));
  CHECK(fault(pair + pair).starts_with("a name for the second time"));
}
