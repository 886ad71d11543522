/** JavaScript expressions in a sandbox. */
@NullMarked
package dev.millrace.scheduler.expression.javascript;

import org.jspecify.annotations.NullMarked;
