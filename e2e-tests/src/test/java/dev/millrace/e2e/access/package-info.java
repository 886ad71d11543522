/** Who may do what, and how people and programs say who they are. */
@NullMarked
package dev.millrace.e2e.access;

import org.jspecify.annotations.NullMarked;
