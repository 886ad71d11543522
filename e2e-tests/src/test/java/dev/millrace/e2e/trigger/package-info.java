@NullMarked
package dev.millrace.e2e.trigger;

import org.jspecify.annotations.NullMarked;
