package examples.matrix;

import java.util.ArrayList;
import java.util.List;

/** A sequence of transformations of the plane. */
public final class Animation {

    private Animation() {
    }

    /** Scalings from 1 to the given factor. */
    public static List<Matrix> zoom(double factor, int steps) {
        List<Matrix> result = new ArrayList<>();
        double[][] scratch = new double[2][2];
        for (int i = 0; i <= steps; i++) {
            scratch[0][0] = 1 + (factor - 1) * i / steps;
            scratch[1][1] = scratch[0][0];
            result.add(new Matrix(scratch));
        }
        return result;
    }
}
