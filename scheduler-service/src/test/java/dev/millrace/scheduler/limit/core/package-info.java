@NullMarked
package dev.millrace.scheduler.limit.core;

import org.jspecify.annotations.NullMarked;
