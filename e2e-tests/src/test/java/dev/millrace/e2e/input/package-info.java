@NullMarked
package dev.millrace.e2e.input;

import org.jspecify.annotations.NullMarked;
