/** Texts with actions in double braces, as in Go's text/template and Fastflow. */
@NullMarked
package dev.millrace.scheduler.expression.gotemplate;

import org.jspecify.annotations.NullMarked;
