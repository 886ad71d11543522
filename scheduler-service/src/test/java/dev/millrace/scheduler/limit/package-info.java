@NullMarked
package dev.millrace.scheduler.limit;

import org.jspecify.annotations.NullMarked;
