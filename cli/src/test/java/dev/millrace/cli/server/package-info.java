@NullMarked
package dev.millrace.cli.server;

import org.jspecify.annotations.NullMarked;
