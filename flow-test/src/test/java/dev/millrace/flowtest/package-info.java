@NullMarked
package dev.millrace.flowtest;

import org.jspecify.annotations.NullMarked;
