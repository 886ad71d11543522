@NullMarked
package dev.millrace.bench.report;

import org.jspecify.annotations.NullMarked;
