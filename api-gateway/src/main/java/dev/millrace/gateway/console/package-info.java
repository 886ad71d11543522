/** The console: the web page where people see and operate runs. Its files come from the class path. */
@NullMarked
package dev.millrace.gateway.console;

import org.jspecify.annotations.NullMarked;
