@NullMarked
package dev.millrace.bench.measure;

import org.jspecify.annotations.NullMarked;
