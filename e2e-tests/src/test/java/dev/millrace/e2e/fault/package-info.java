@NullMarked
package dev.millrace.e2e.fault;

import org.jspecify.annotations.NullMarked;
