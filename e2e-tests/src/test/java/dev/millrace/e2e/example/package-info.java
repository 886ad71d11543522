@NullMarked
package dev.millrace.e2e.example;

import org.jspecify.annotations.NullMarked;
