@NullMarked
package dev.millrace.scheduler.testing;

import org.jspecify.annotations.NullMarked;
