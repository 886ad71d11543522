@NullMarked
package dev.millrace.gateway.console;

import org.jspecify.annotations.NullMarked;
