/** Texts with actions in double braces, as Go's text/template and Fastflow read them. */
@NullMarked
package dev.millrace.scheduler.expression.gotemplate;

import org.jspecify.annotations.NullMarked;
