package examples.matrix;

import static org.junit.Assert.assertEquals;

import java.util.List;
import org.junit.Test;

public class MatrixTest {

    @Test
    public void knowsItsSize() {
        Matrix matrix = new Matrix(new double[][] {{1, 2, 3}, {4, 5, 6}});
        assertEquals(2, matrix.rows());
        assertEquals(3, matrix.columns());
        assertEquals(6, matrix.get(1, 2), 0);
    }

    @Test
    public void mayBeEmpty() {
        assertEquals(0, new Matrix(new double[0][0]).rows());
        assertEquals(0, new Matrix(new double[0][0]).columns());
    }

    @Test
    public void multiplies() {
        Matrix left = new Matrix(new double[][] {{1, 2}, {3, 4}});
        Matrix right = new Matrix(new double[][] {{0, 1}, {1, 0}});
        Matrix product = left.multiply(right);
        assertEquals(2, product.get(0, 0), 0);
        assertEquals(3, product.get(1, 1), 0);
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesFactorsThatDoNotFit() {
        new Matrix(new double[][] {{1, 2}}).multiply(new Matrix(new double[][] {{1, 2}}));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesRaggedRows() {
        new Matrix(new double[][] {{1, 2}, {3}});
    }

    @Test
    public void laterChangesOfTheArrayDoNotMatter() {
        double[][] work = {{1, 0}, {0, 1}};
        Matrix identity = new Matrix(work);
        work[0][0] = 7;
        work[1] = new double[] {5, 5};
        assertEquals(1, identity.get(0, 0), 0);
        assertEquals(0, identity.get(1, 0), 0);
    }

    @Test
    public void stepsOfAnAnimationAreIndependent() {
        List<Matrix> steps = Animation.zoom(3, 4);
        assertEquals(5, steps.size());
        assertEquals(1, steps.get(0).get(0, 0), 0);
        assertEquals(2, steps.get(2).get(1, 1), 0);
        assertEquals(3, steps.get(4).get(0, 0), 0);
    }
}
