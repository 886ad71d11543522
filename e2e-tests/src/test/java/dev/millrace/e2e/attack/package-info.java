/** Attacks that must fail, over real processes. {@code docs/explanation/security.md} says what they are about. */
@NullMarked
package dev.millrace.e2e.attack;

import org.jspecify.annotations.NullMarked;
