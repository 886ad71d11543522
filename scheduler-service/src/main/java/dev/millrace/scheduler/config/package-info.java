/** What an operator can set, where it comes from, and its defaults. */
@NullMarked
package dev.millrace.scheduler.config;

import org.jspecify.annotations.NullMarked;
