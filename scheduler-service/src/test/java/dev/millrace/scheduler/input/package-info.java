@NullMarked
package dev.millrace.scheduler.input;

import org.jspecify.annotations.NullMarked;
