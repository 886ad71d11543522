@NullMarked
package dev.millrace.scheduler.explain.core;

import org.jspecify.annotations.NullMarked;
