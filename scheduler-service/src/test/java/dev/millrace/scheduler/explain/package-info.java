@NullMarked
package dev.millrace.scheduler.explain;

import org.jspecify.annotations.NullMarked;
