@NullMarked
package dev.millrace.cli.eventhandler;

import org.jspecify.annotations.NullMarked;
