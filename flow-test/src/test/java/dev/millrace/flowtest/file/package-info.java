@NullMarked
package dev.millrace.flowtest.file;

import org.jspecify.annotations.NullMarked;
