@NullMarked
package dev.millrace.e2e.server;

import org.jspecify.annotations.NullMarked;
