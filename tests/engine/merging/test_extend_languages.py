"""Extending every other language: where members go, in whose style, and that nothing else moves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

JS = """\
import a from "x";

class A extends B {
  x = 1;

  get v() {
    return 1;
  }
}

class E {}

module.exports = A;
"""

CPP = """\
#ifndef A_H
#define A_H

#include <x>

namespace n {

class A {
 public:
  A();

  void f(int a);

 private:
  int x_;
};

}  // namespace n

#endif
"""

RUBY = """\
require "json"

module M
  class A
    def a
    end

    private

    def b
    end
  end

  class E; end
end
"""

GO = """\
package p

import (
	"fmt"
)

type A struct {
	x int
}

func (a *A) M() {}

func f() {}
"""

CASES = {
    "javascript: a setter stands by its getter": (
        *("a.js", JS, "class A {\n    set v(q) {\n        this.q = q;\n    }\n}\n"),
        "  get v() {\n    return 1;\n  }\n\n  set v(q) {\n    this.q = q;\n  }\n}\n",
    ),
    "javascript: a field joins the fields": ("a.js", JS, "class A {\n  y = 2;\n}\n", "  x = 1;\n  y = 2;\n\n  get v()"),
    "javascript: an empty class is opened": ("a.js", JS, "class E { n() {} }\n", "class E {\n  n() {}\n}\n"),
    "javascript: an import without a semicolon stays without one": (
        *("a.js", 'import { a } from "x"\n\nclass A {}\n', 'import { a, b } from "x"\n'),
        'import { a } from "x"\nimport { b } from "x"\n\nclass A {}\n',
    ),
    "javascript: imports are not doubled": (
        *("a.js", JS, 'import a from "x";\nimport { b } from "x";\n'),
        'import a from "x";\nimport { b } from "x";\n\nclass A',
    ),
    "javascript: functions come before the exports": (
        *("a.js", JS, "function help() {\n  return 1;\n}\n"),
        "class E {}\n\nfunction help() {\n  return 1;\n}\n\nmodule.exports",
    ),
    "javascript: a method without a class joins the only one": (
        *("a.js", "class A {\n  m() {}\n}\n", "async foo() {\n  return 1;\n}\n"),
        "class A {\n  m() {}\n\n  async foo() {\n    return 1;\n  }\n}\n",
    ),
    "javascript: text inside a template is not reindented": (
        *("a.js", "class A {\n  m() {}\n}\n", "class A {\n      n() {\n            return `\n  x`;\n      }\n}\n"),
        "\n  n() {\n    return `\n  x`;\n  }\n",
    ),
    "typescript: a signature joins its overloads": (
        *("a.ts", "class A {\n  m(a: string): void;\n  m(a: any) {}\n}\n", "class A {\n  m(a: number): void;\n}\n"),
        "class A {\n  m(a: string): void;\n  m(a: number): void;\n  m(a: any) {}\n}\n",
    ),
    "typescript: decorators and comments come along": (
        *("a.ts", "export class A {\n  x = 1;\n}\n", "class A {\n  // why\n  @Input()\n  y: number;\n}\n"),
        "  x = 1;\n  // why\n  @Input()\n  y: number;\n}\n",
    ),
    "java: other parameters make another method": (
        *(
            "A.java",
            "class A {\n    int f(int a) { return 1; }\n}\n",
            "class A {\n    int f(String b) { return 2; }\n}\n",
        ),
        "class A {\n    int f(int a) { return 1; }\n\n    int f(String b) { return 2; }\n}\n",
    ),
    "java: imports and members without a class": (
        *(
            "A.java",
            "package p;\n\nimport a.B;\n\nclass A {\n    int f() { return 1; }\n}\n",
            "import a.C;\n\nint z;\n",
        ),
        "import a.B;\nimport a.C;\n\nclass A {\n    int z;\n\n    int f()",
    ),
    "c#: a class is found inside its namespace": (
        *(
            "a.cs",
            "namespace N\n{\n    public class A\n    {\n    }\n}\n",
            "public class A\n{\n    public int X { get; set; }\n}\n",
        ),
        "    public class A\n    {\n        public int X { get; set; }\n    }\n",
    ),
    "ruby: a public method stays public": (
        *("a.rb", RUBY, "class A\n  def c\n  end\nend\n"),
        "    def a\n    end\n\n    def c\n    end\n\n    private\n",
    ),
    "ruby: a private method stays private": (
        *("a.rb", RUBY, "class A\n  private\n\n  def c\n  end\nend\n"),
        "    def b\n    end\n\n    def c\n    end\n  end\n",
    ),
    "ruby: a section that is missing is begun": (
        *("a.rb", RUBY, "class A\n  protected\n\n  def c\n  end\nend\n"),
        "    def b\n    end\n\n    protected\n\n    def c\n    end\n  end\n",
    ),
    "ruby: a class on one line is opened": (
        "a.rb",
        RUBY,
        "class E\n  def z; end\nend\n",
        "  class E\n    def z; end\n  end\n",
    ),
    "ruby: a required file is not required twice": (
        *("a.rb", RUBY, "require 'json'\nrequire 'set'\n"),
        "require \"json\"\nrequire 'set'\n\nmodule",
    ),
    "ruby: what an alias names is defined before it": (
        *("a.rb", "class A\n  def z\n  end\n\n  alias_method :b, :a\nend\n", "class A\n  def a\n  end\nend\n"),
        "  def z\n  end\n\n  def a\n  end\n\n  alias_method",
    ),
    "ruby: a method made private on the spot": (
        *("a.rb", "class A\n  X = 1\n\n  def z\n  end\nend\n", "class A\n  Y = 2\n\n  private def a\n  end\nend\n"),
        "  X = 1\n  Y = 2\n\n  def z\n  end\n\n  private def a\n  end\nend\n",
    ),
    "ruby: methods of the class itself": (
        *(
            "a.rb",
            "class A\n  class << self\n    def z; end\n  end\n\n  def self.y; end\nend\n",
        ),
        "class A\n  class << self\n    def a; end\n  end\n\n  def self.b; end\nend\n",
        "    def z; end\n\n    def a; end\n  end\n\n  def self.y; end\n\n  def self.b; end\nend\n",
    ),
    "ruby: a method without a class joins the only one": (
        *("a.rb", "module M\n  class A\n    def a; end\n  end\nend\n", "def b; end\n"),
        "    def a; end\n\n    def b; end\n  end\n",
    ),
    "php: the opening tag may be left out": (
        *(
            "a.php",
            "<?php\n\nuse B\\C;\n\nclass A\n{\n    private $x;\n}\n",
            "use B\\D;\n\nclass A {\n  private $y;\n}\n",
        ),
        "<?php\n\nuse B\\C;\nuse B\\D;\n\nclass A\n{\n    private $x;\n    private $y;\n}\n",
    ),
    "php: a method without a class joins the only one": (
        *("a.php", "<?php\n\nclass A\n{\n}\n", "public function g() {\n    return 1;\n}\n"),
        "{\n    public function g() {\n        return 1;\n    }\n}\n",
    ),
    "c++: members go to their section": (
        *("a.hpp", CPP, "class A {\n public:\n  void f(char a);\n private:\n  int y_;\n};\n"),
        "  void f(int a);\n\n  void f(char a);\n\n private:\n  int x_;\n  int y_;\n};\n",
    ),
    "c++: the members of a class are private unless it says otherwise": (
        *("a.hpp", "class A {\n public:\n  void f();\n\n private:\n  int x_;\n};\n", "class A {\n  int y_;\n};\n"),
        "  void f();\n\n private:\n  int x_;\n  int y_;\n};\n",
    ),
    "c++: the members of a struct are public unless it says otherwise": (
        *("a.hpp", "struct A {\n private:\n  int x_;\n\n public:\n  int y;\n};\n", "struct A {\n  int z;\n};\n"),
        " private:\n  int x_;\n\n public:\n  int y;\n  int z;\n};\n",
    ),
    "c++: includes join the includes inside the guard": (
        "a.hpp",
        CPP,
        "#include <y>\n",
        "#include <x>\n#include <y>\n\nnamespace",
    ),
    "c++: a section that is missing is begun": (
        *("a.hpp", CPP, "class A {\n protected:\n  int z_;\n};\n"),
        "  int x_;\n\n protected:\n  int z_;\n};\n",
    ),
    "rust: attributes and doc comments come along": (
        *(
            "a.rs",
            "struct A;\n\nimpl A {\n    fn a(&self) {}\n}\n",
            "impl A {\n    /// d\n    #[inline]\n    fn b(&self) {}\n}\n",
        ),
        "    fn a(&self) {}\n\n    /// d\n    #[inline]\n    fn b(&self) {}\n}\n",
    ),
    "rust: only what is missing is used": (
        *("a.rs", "use std::fmt;\n\nstruct A;\n", "use std::{fmt, io};\n"),
        "use std::fmt;\nuse std::io;\n\nstruct A;\n",
    ),
    "rust: a method without an impl joins the only one": (
        *("a.rs", "struct A;\n\nimpl A {\n    fn a(&self) {}\n}\n\nimpl D for A {}\n", "fn b(&self) {}\n"),
        "    fn a(&self) {}\n\n    fn b(&self) {}\n}\n",
    ),
    "rust: of equal impl blocks the last takes what is new": (
        *(
            "a.rs",
            "impl A {\n    fn a(&self) {}\n}\n\nimpl A {\n    fn b(&self) {}\n}\n",
            "impl A {\n    fn c(&self) {}\n}\n",
        ),
        "    fn b(&self) {}\n\n    fn c(&self) {}\n}\n",
    ),
    "c++: a method outside any class that can only be meant for one": (
        *("a.hpp", "struct A {\n  int f();\n};\n", "virtual int g() const;\n"),
        "  int f();\n\n  virtual int g() const;\n};\n",
    ),
    "c++: a template is told apart by its parameters": (
        *("a.hpp", "struct A {\n  template <class T>\n  void f(T t);\n};\n"),
        "struct A {\n  template <class T, class U>\n  void f(T t);\n};\n",
        "  void f(T t);\n\n  template <class T, class U>\n  void f(T t);\n};\n",
    ),
    "go: a method goes below the last of its type": (
        *("a.go", GO, "package p\n\n// N is.\nfunc (a A) N() {}\n"),
        "func (a *A) M() {}\n\n// N is.\nfunc (a A) N() {}\n\nfunc f() {}\n",
    ),
    "go: imports join the list": ("a.go", GO, 'package p\n\nimport "os"\n', 'import (\n\t"fmt"\n\t"os"\n)\n'),
}


@pytest.mark.parametrize("case", CASES)
def test_members_go_where_they_belong(case: str, extended: Callable[..., str]) -> None:
    path, existing, new, expected = CASES[case]
    assert expected in extended(existing, new, path)


@pytest.mark.parametrize("case", [case for case in CASES if "opened" not in case])
def test_every_line_of_the_file_is_still_there_in_order(case: str, extended: Callable[..., str]) -> None:
    path, existing, new, _ = CASES[case]
    merged = iter(extended(existing, new, path).splitlines(keepends=True))
    assert all(line in merged for line in existing.splitlines(keepends=True))


@pytest.mark.parametrize("case", CASES)
def test_line_endings_are_the_files_own(case: str, extended: Callable[..., str]) -> None:
    path, existing, new, _ = CASES[case]
    assert extended(existing.replace("\n", "\r\n"), new, path) == extended(existing, new, path).replace("\n", "\r\n")


def test_existing_members_are_replaced_when_asked(extended: Callable[..., str]) -> None:
    merged = extended(JS, "class A {\n  get v() {\n    return 2;\n  }\n}\n", "a.js", replace_existing=True)
    assert merged == JS.replace("return 1", "return 2")


def test_a_long_sum_does_not_exhaust_the_stack(extended: Callable[..., str]) -> None:
    existing = "class A {\n  m() {\n    return " + " + ".join(["'x'"] * 3000) + ";\n  }\n}\n"
    assert "  n() {}" in extended(existing, "class A {\n  n() {}\n}\n", "a.js")


def test_several_members_of_a_class_on_one_line(extended: Callable[..., str]) -> None:
    assert extended("class A {}\n", "class A { x = 1; m() {} }\n", "a.js") == "class A {\n    x = 1;\n\n    m() {}\n}\n"
