@NullMarked
package dev.millrace.bench.peer;

import org.jspecify.annotations.NullMarked;
