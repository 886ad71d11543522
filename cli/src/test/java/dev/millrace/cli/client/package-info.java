@NullMarked
package dev.millrace.cli.client;

import org.jspecify.annotations.NullMarked;
