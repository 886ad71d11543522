@NullMarked
package dev.millrace.scheduler.packages;

import org.jspecify.annotations.NullMarked;
