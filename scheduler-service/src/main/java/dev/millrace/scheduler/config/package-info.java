/** Settings of a scheduler: their keys, sources, defaults and checks. */
@NullMarked
package dev.millrace.scheduler.config;

import org.jspecify.annotations.NullMarked;
